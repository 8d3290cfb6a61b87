/** Adds up vitest's JSON reports: names what was skipped, and prints the counts as the last line. */
import { readFileSync } from 'node:fs'

const totals = { passed: 0, failed: 0, skipped: 0 }

for (const file of process.argv.slice(2)) {
  let report
  try {
    report = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    console.log(`${file}: no report, so that run counts as one failure`)
    totals.failed += 1
    continue
  }
  // A file that breaks before its first test has no test to count.
  const broken = report.testResults.filter(suite => suite.status === 'failed' && suite.assertionResults.length === 0)
  for (const suite of broken) console.log(`failed to load: ${suite.name}`)
  totals.failed += report.numFailedTests + broken.length
  totals.passed += report.numPassedTests
  const others = report.testResults
    .flatMap(suite => suite.assertionResults)
    .filter(result => result.status !== 'passed' && result.status !== 'failed')
  for (const { fullName, meta } of others) console.log(`skipped: ${fullName} ${meta?.skipReason ?? ''}`)
  totals.skipped += others.length
}

console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`)
process.exitCode = totals.failed > 0 || totals.passed === 0 ? 1 : 0
