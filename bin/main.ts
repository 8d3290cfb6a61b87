/** Entry point of the process: runs the program with the process's own arguments. */
import { runProgram } from './program.ts'

await runProgram(process.argv.slice(2), process)
