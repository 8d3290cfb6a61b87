/** Lazily loaded components, drawn by Ink: it runs React without a page. */
import { PassThrough } from 'node:stream'
import { render, Text } from 'ink'
import { createElement, Fragment, useLayoutEffect } from 'react'
import { expect, test, vi } from 'vitest'
import { createLazyPart, type PartModule } from '../../web/ui/lazy-part.tsx'

type Greeting = PartModule<'Greeting', object>

/** Code that arrives in the middle of React's work: its promise calls at once who waits for it. */
function openLoad() {
  const loading = new Promise<Greeting>(() => undefined)
  const then = vi.spyOn(loading, 'then').mockReturnValue(new Promise(() => undefined))
  return {
    load: () => loading,
    arrive: (module: Greeting) => {
      for (const [next] of then.mock.calls) next?.(module)
    },
  }
}

test('a part whose code comes between its first rendering and its effect is shown', async () => {
  const { load, arrive } = openLoad()
  const Part = createLazyPart(load, 'Greeting')
  Part.fetch()
  /** A layout effect runs after the first rendering, and before the effects of all parts. */
  function Arrival() {
    useLayoutEffect(() => arrive({ Greeting: () => createElement(Text, null, 'Hello') }), [])
    return null
  }
  let drawn = ''
  const stdout = Object.assign(new PassThrough(), { columns: 80 })
  stdout.on('data', bytes => {
    drawn += String(bytes)
  })
  const page = createElement(Fragment, null, createElement(Part), createElement(Arrival))
  const screen = render(page, { stdout: stdout as unknown as NodeJS.WriteStream, debug: true })
  await expect.poll(() => drawn).toContain('Hello')
  screen.unmount()
})
