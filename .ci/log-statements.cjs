/**
 * Loaded into every process of a test run (NODE_OPTIONS) that is to note which SQL statements of the product each test
 * file runs: `FILESTORE_TEST_STATEMENTS` names the log. A line: test file, dialect, statement as normalise.cjs has it; tabs.
 */
const { subscribe } = require('node:diagnostics_channel')
const { appendFileSync } = require('node:fs')
const Module = require('node:module')
const { normalise } = require('./normalise.cjs')

const log = process.env.FILESTORE_TEST_STATEMENTS

/** What every statement goes through on its way to the driver: not who asked for it. */
const passage =
  /\/src\/(base\/turns|db\/(connections|count-failures|database|insert|mariadb|mariadb-pool|sqlite|sqlite-statements|commit-cache|write))\.ts$/

/** What this process has noted for a test file, as it came and as it is written; each begins with its dialect. */
let noted = { file: undefined, raw: new Set(), lines: new Set() }

/** The sources on the way to here, the nearest first, across awaits. */
function callers() {
  const { prepareStackTrace, stackTraceLimit } = Error
  Error.stackTraceLimit = 100
  Error.prepareStackTrace = (_error, sites) => sites.map(site => site.getFileName() ?? '')
  const files = new Error().stack
  Object.assign(Error, { prepareStackTrace, stackTraceLimit })
  return files.filter(file => /^(\/|file:)/.test(file) && !file.includes('/node_modules/') && file !== __filename)
}

/** A test reads and plants rows too. In the built binary all that is run is the product's. */
const isTestsOwn = () => /\/test\//.test(callers().find(file => !passage.test(file)) ?? '')

function note(dialect, sql) {
  const file = process.env.FILESTORE_TEST_FILE ?? ''
  if (file !== noted.file) noted = { file, raw: new Set(), lines: new Set() }
  if (noted.raw.has(dialect + sql)) return
  const line = `${dialect}\t${normalise(sql)}\n`
  if (!noted.lines.has(line)) {
    if (isTestsOwn()) return
    noted.lines.add(line)
    appendFileSync(log, `${file}\t${line}`)
  }
  // Long ones are lists of values, of which hardly two are alike.
  if (sql.length < 2_000) noted.raw.add(dialect + sql)
}

if (log !== undefined) {
  for (const call of ['query', 'execute'])
    subscribe(`tracing:mysql2:${call}:start`, ({ query }) => note('mariadb', query))

  const load = Module._load
  Module._load = function (...given) {
    const loaded = load.apply(this, given)
    const prototype = /(^|\/)sqlite3(\/lib\/sqlite3\.js)?$/.test(given[0]) ? loaded.Database.prototype : undefined
    if (prototype !== undefined && !Object.hasOwn(prototype, 'isNoted')) {
      const { prepare } = prototype
      prototype.isNoted = true
      prototype.prepare = function (sql, ...rest) {
        note('sqlite', sql)
        return prepare.call(this, sql, ...rest)
      }
    }
    return loaded
  }
}
