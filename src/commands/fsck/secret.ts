/** Checks that the server's secret is that of the database, with which the addresses of links are sealed. */
import { rename } from 'node:fs/promises'
import { openSeal, type Seal } from '../../access/seal.ts'
import { findMarkedSecret, type SecretProblem, secretFile } from '../../access/server-secret.ts'
import { forgetState, readState } from '../../db/server-state.ts'
import type { Deps } from '../../deps.ts'
import type { Check } from './finding.ts'

type SecretDeps = Pick<Deps, 'db' | 'config'>

/** The secret as a seal, or why it cannot be had; null for a database that has none yet. */
async function findSeal({ db, config }: SecretDeps): Promise<Seal | SecretProblem | null> {
  const mark = await readState(db, 'secret_mark')
  if (mark === undefined) return null
  const found = await findMarkedSecret(config, mark)
  return typeof found === 'string' ? found : openSeal(found)
}

/** The seal of the database; null if its secret is not there, or there is none yet. */
export async function findOwnSeal(deps: SecretDeps): Promise<Seal | null> {
  const found = await findSeal(deps)
  return typeof found === 'string' ? null : found
}

const words: Record<SecretProblem, string> = {
  missing: 'it is missing, so that no server starts',
  other: 'it is that of another database, so that no server starts',
  damaged: 'its file holds none, so that no server starts',
}

/**
 * Forgets which secret the database belongs to, so that the next start takes the one that it finds, or makes one. What
 * is sealed stays as it is: it can be opened again if the right secret comes back.
 */
async function acceptAnother({ db, config }: SecretDeps): Promise<boolean> {
  const problem = await findSeal({ db, config })
  if (typeof problem !== 'string') return false
  if (problem === 'damaged') await rename(secretFile(config), `${secretFile(config)}.damaged`)
  await db.touch(() => forgetState(db, 'secret_mark'))
  return true
}

export async function checkSecret({ deps, report }: Check): Promise<void> {
  const { db, config } = deps
  const problem = await findSeal(deps)
  if (typeof problem !== 'string') return
  const sealed = await db.row<{ count: number }>("SELECT COUNT(*) AS count FROM links WHERE token_sealed <> ''")
  const remedy = `put secret.key of its server, or of a backup, into ${config.dataDir}, or give FILESTORE_SECRET_KEY as its server has it`
  const loss = `if it is lost, --repair lets the next start take another; then the addresses of ${sealed?.count ?? 0} links cannot be shown again, and still work`
  const detail = `${words[problem]}: ${remedy}; ${loss}`
  await report({ verdict: 'repairable', problem: 'secret', name: "the server's secret", detail }, () =>
    acceptAnother(deps),
  )
}
