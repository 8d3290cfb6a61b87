/**
 * Adds up vitest's JSON reports: names what failed and what was skipped, and prints the counts as the last line. What
 * failed in `x.json` and passed in `x-again.json` is named too, with the reason of its failure, and counts as passed.
 */
import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'

const totals = { passed: 0, failed: 0, skipped: 0 }
const failures = []
const retried = []

const read = file => JSON.parse(readFileSync(file, 'utf8'))

/** The results of a second run by their files. */
function readAgain(file) {
  const path = file.replace(/\.json$/, '-again.json')
  return new Map(existsSync(path) ? read(path).testResults.map(each => [each.name, each]) : [])
}

for (const file of process.argv.slice(2)) {
  let report
  try {
    report = read(file)
  } catch {
    failures.push(`${file}: no report, so that run counts as one failure`)
    totals.failed += 1
    continue
  }
  const again = readAgain(file)
  for (const { name, status, message, assertionResults } of report.testResults) {
    const path = relative('.', name)
    const second = status === 'failed' ? again.get(name) : undefined
    const hasPassed = fullName =>
      second?.assertionResults.some(each => each.fullName === fullName && each.status === 'passed') === true
    // A file that breaks before its first test has no test to count.
    if (status === 'failed' && assertionResults.length === 0) {
      if (second?.status === 'passed') {
        retried.push(`${path} did not load: ${message}`)
        totals.passed += second.assertionResults.filter(each => each.status === 'passed').length
      } else {
        failures.push(`${path} did not load: ${message}`)
        totals.failed += 1
      }
    }
    for (const { fullName, status, failureMessages, meta } of assertionResults) {
      if (status === 'passed') totals.passed += 1
      else if (status !== 'failed') {
        console.log(`skipped: ${fullName} ${meta?.skipReason ?? ''}`)
        totals.skipped += 1
      } else if (hasPassed(fullName)) {
        retried.push(`${path}: ${fullName}\n${failureMessages.join('\n')}`)
        totals.passed += 1
      } else {
        failures.push(`${path}: ${fullName}\n${failureMessages.join('\n')}`)
        totals.failed += 1
      }
    }
  }
}

for (const each of retried) console.log(`passed at its second try: ${each}`)
// Last, where a log that was cut still shows them.
for (const failure of failures) console.log(`failed: ${failure}`)
console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`)
process.exitCode = totals.failed > 0 || totals.passed === 0 ? 1 : 0
