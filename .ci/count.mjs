/** Adds up vitest's JSON reports: names what failed and what was skipped, and prints the counts as the last line. */
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

const totals = { passed: 0, failed: 0, skipped: 0 }
const failures = []
const retried = []

for (const file of process.argv.slice(2)) {
  let report
  try {
    report = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    failures.push(`${file}: no report, so that run counts as one failure`)
    totals.failed += 1
    continue
  }
  for (const { name, status, message, assertionResults } of report.testResults) {
    const path = relative('.', name)
    // A file that breaks before its first test has no test to count.
    if (status === 'failed' && assertionResults.length === 0) {
      failures.push(`${path} did not load: ${message}`)
      totals.failed += 1
    }
    for (const { fullName, status, failureMessages, meta } of assertionResults) {
      if (status === 'passed' && meta?.firstFailure) retried.push(`${path}: ${fullName}\n${meta.firstFailure}`)
      if (status === 'passed') continue
      if (status === 'failed') failures.push(`${path}: ${fullName}\n${failureMessages.join('\n')}`)
      else {
        console.log(`skipped: ${fullName} ${meta?.skipReason ?? ''}`)
        totals.skipped += 1
      }
    }
  }
  totals.failed += report.numFailedTests
  totals.passed += report.numPassedTests
}

for (const each of retried) console.log(`passed at its second try: ${each}`)
// Last, where a log that was cut still shows them.
for (const failure of failures) console.log(`failed: ${failure}`)
console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`)
process.exitCode = totals.failed > 0 || totals.passed === 0 ? 1 : 0
