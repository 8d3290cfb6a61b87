/**
 * Fails where a statement of the product ran on SQLite alone, and where a test that is about MariaDB ran nowhere. Usage:
 * check-statements.mjs <folder with the logs and reports of both legs>; adds a report of two tests, for count.mjs.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { isMariadbOnly, readStatements } from './statements.mjs'

const [folder = 'reports'] = process.argv.slice(2)
const lists = JSON.parse(readFileSync(join(import.meta.dirname, 'mariadb-files.json'), 'utf8'))

function findSqliteAlone() {
  const logs = ['sqlite', 'mariadb'].map(leg => join(folder, `${leg}.statements`))
  const [sqlite, mariadb] = ['sqlite', 'mariadb'].map(dialect => readStatements(dialect, ...logs))
  console.log(`statements and parts of lists: ${sqlite.size} on SQLite, ${mariadb.size} on MariaDB`)
  return [...sqlite]
    .filter(([text]) => !mariadb.has(text))
    .map(([text, files]) => `${text}\n  ran in ${[...files].slice(0, 5).join(', ')}`)
}

/** Files that the second leg leaves out although some of their tests are skipped without MariaDB. */
function findLeftOut() {
  const { testResults } = JSON.parse(readFileSync(join(folder, 'sqlite.json'), 'utf8'))
  const about = testResults.filter(({ assertionResults }) => assertionResults.some(isMariadbOnly))
  const known = new Set([...lists.named, ...lists.chosen, ...lists.nightly])
  return about.map(({ name }) => relative('.', name)).filter(file => !known.has(file))
}

/** A test of one name that passes where nothing was found; a log or report that is not there fails it. */
function testOf(fullName, find) {
  let found
  try {
    found = find()
  } catch (error) {
    found = [String(error)]
  }
  const hint = 'node .ci/choose-mariadb-files.mjs chooses files anew: CONTRIBUTING.md'
  const failureMessages = found.length === 0 ? [] : [...found, hint]
  for (const message of failureMessages) console.log(message)
  return { fullName, status: found.length === 0 ? 'passed' : 'failed', failureMessages }
}

const assertionResults = [
  testOf('every statement that runs on SQLite runs on MariaDB too', findSqliteAlone),
  testOf('every test that is about MariaDB alone runs on it', findLeftOut),
]
const failed = assertionResults.filter(({ status }) => status === 'failed').length
const testResults = [
  { name: import.meta.filename, status: failed > 0 ? 'failed' : 'passed', message: '', assertionResults },
]
const counts = { numPassedTests: assertionResults.length - failed, numFailedTests: failed }
writeFileSync(join(folder, 'statements.json'), JSON.stringify({ ...counts, testResults }))
process.exitCode = failed > 0 ? 1 : 0
