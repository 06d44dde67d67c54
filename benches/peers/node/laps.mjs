// One case on the first line; then a lap or the result for each line that asks for it.

import { createInterface } from 'node:readline';

/**
 * @param {(case_: any) => { prepare(): void, work(): void, result(): any }} build
 */
export async function serve(build) {
    let runner;
    for await (const line of createInterface({ input: process.stdin })) {
        const question = JSON.parse(line);
        if (question === 'lap') {
            runner.prepare();
            answer(seconds(() => runner.work()));
        } else if (question === 'result') {
            answer(runner.result());
        } else {
            runner = build(question);
            answer('ready');
        }
    }
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
