/** Prints the test files of a vitest report that failed, if they are few: many are no accident, and need no second run. */
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

const most = 8

const { testResults } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const files = new Set(testResults.filter(({ status }) => status === 'failed').map(({ name }) => relative('.', name)))
if (files.size > most) console.error(`${files.size} files failed: more than ${most} are not run again`)
else console.log([...files].join('\n'))
