/** The program as a process of its own. */
import { runProgram } from './program.ts'

await runProgram(process.argv.slice(2), process)
