// One case on the first line; then the fastest of so many laps for each line that is a number, and the
// result of the last lap for one that asks for it.

import { createInterface } from 'node:readline';

/**
 * @param {(case_: any) => { prepare(): void, work(): void, result(): any }} build
 */
export async function serve(build) {
    let runner;
    for await (const line of createInterface({ input: process.stdin })) {
        const question = JSON.parse(line);
        if (typeof question === 'number') {
            answer(fastest(runner, question));
        } else if (question === 'result') {
            answer(runner.result());
        } else {
            runner = build(question);
            answer('ready');
        }
    }
}

function fastest(runner, laps) {
    let time = Infinity;
    for (let lap = 0; lap < laps; lap++) {
        runner.prepare();
        time = Math.min(time, seconds(() => runner.work()));
    }
    return time;
}

/** As the Rust side measures: the clock's time, less what others have had of the processor. */
function seconds(work) {
    const working = process.cpuUsage();
    const began = process.hrtime.bigint();
    work();
    const time = Number(process.hrtime.bigint() - began) * 1e-9;
    const { user, system } = process.cpuUsage(working);
    return Math.min(time, (user + system) * 1e-6);
}

function answer(value) {
    process.stdout.write(JSON.stringify(value) + '\n');
}
