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
            const began = process.hrtime.bigint();
            runner.work();
            const time = process.hrtime.bigint() - began;
            answer(Number(time) * 1e-9);
        } else if (question === 'result') {
            answer(runner.result());
        } else {
            runner = build(question);
            answer('ready');
        }
    }
}

function answer(value) {
    process.stdout.write(JSON.stringify(value) + '\n');
}
