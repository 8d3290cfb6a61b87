/**
 * Chooses the test files that run on MariaDB beside those named by hand: a cheap set that runs every statement of the
 * product that SQLite ran. Usage, after a gate: <statements' log> <vitest's report>…; rewrites mariadb-files.json.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { isMariadbOnly, readStatements } from './statements.mjs'

const path = join(import.meta.dirname, 'mariadb-files.json')
const lists = JSON.parse(readFileSync(path, 'utf8'))
const [log, ...reports] = process.argv.slice(2)

/** A browser or a terminal before the server costs more, and runs no statement of its own. */
const mayRun = file => /^test\/(api|db|security|commands|matrix|routes)/.test(file) && !lists.nightly.includes(file)

/** Named by hand, or with tests that no other database runs. */
const needed = new Set(lists.named)
/** s */
const costs = new Map()
for (const report of reports) {
  for (const { name, startTime, endTime, assertionResults } of JSON.parse(readFileSync(report, 'utf8')).testResults) {
    const file = relative('.', name)
    costs.set(file, (endTime - startTime) / 1000)
    if (assertionResults.some(isMariadbOnly) && !lists.nightly.includes(file)) needed.add(file)
  }
}
const costOf = file => costs.get(file) ?? Number.POSITIVE_INFINITY

const statements = readStatements('sqlite', log)
const textsOf = new Map()
for (const [text, files] of statements) {
  for (const file of files) if (mayRun(file)) textsOf.set(file, (textsOf.get(file) ?? new Set()).add(text))
}
const open = new Set(statements.keys())
const close = file => {
  for (const text of textsOf.get(file) ?? []) open.delete(text)
}
for (const file of needed) close(file)

/** Greedy: the file with the most statements that are still open for its time. */
const chosen = []
for (;;) {
  const gain = file =>
    [...(textsOf.get(file) ?? [])].filter(text => open.has(text)).length / Math.max(costOf(file), 0.1)
  const [best] = [...textsOf.keys()].sort((a, b) => gain(b) - gain(a))
  if (best === undefined || gain(best) === 0) break
  chosen.push(best)
  close(best)
}
/** What later choices have made needless, the dearest first. */
for (const file of [...chosen].sort((a, b) => costOf(b) - costOf(a))) {
  const others = [...needed, ...chosen.filter(other => other !== file)]
  const rest = new Set(others.flatMap(other => [...(textsOf.get(other) ?? [])]))
  if ([...(textsOf.get(file) ?? [])].every(text => rest.has(text))) chosen.splice(chosen.indexOf(file), 1)
}

for (const text of open) console.log(`no file runs: ${text}\n  but ${[...statements.get(text)].join(', ')}`)
const total = files => Math.round(files.reduce((sum, file) => sum + (costs.get(file) ?? 0), 0))
console.log(`needed: ${needed.size} files, ${total([...needed])} s; chosen: ${chosen.length}, ${total(chosen)} s`)
const added = [...needed, ...chosen].filter(file => !lists.named.includes(file))
writeFileSync(path, `${JSON.stringify({ ...lists, chosen: added.sort() }, null, 2)}\n`)
