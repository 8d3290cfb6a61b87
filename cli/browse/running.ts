/** Transfers in the background, until they are done or stopped. */
import { type App, attempt, say, withServer } from './app.ts'
import { refresh } from './loading.ts'
import { readQuota } from './profile.ts'
import { confirm } from './prompting.ts'

/** Starts a transfer. `work` gets a connection that is aborted when the transfer is stopped. */
export function start(app: App, work: (app: App) => Promise<void>): void {
  const stop = new AbortController()
  const own = withServer(app, { ...app.server, signal: AbortSignal.any([app.server.signal, stop.signal]) })
  const running = attempt(own, () => work(own)).finally(() => app.running.delete(running))
  app.running.set(running, stop)
}

/** Asks, then stops all transfers. Files that have arrived stay. */
export function askStop(app: App) {
  if (app.running.size === 0) return say(app, 'Nothing is on its way')
  confirm(app, 'Stop what is on its way? What has arrived stays.', async () => {
    for (const stop of app.running.values()) stop.abort()
    // Wait until the transfers have cleaned up.
    await Promise.all(app.running.keys())
    await refresh(app)
    await readQuota(app)
    say(app, 'Stopped')
  })
}
