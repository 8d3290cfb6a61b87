/**
 * Leaves the schemas out of the page. Of a call the page needs method, path and carrier; what is sent and answered is
 * checked by the server and by the terminal client, so that in the page the schemas are only types. esbuild drops
 * `(void 0)?.string().check(…)` with all its arguments.
 */
import { readFile } from 'node:fs/promises'
import type { Plugin } from 'esbuild'

/** zod's functions, which a call follows; not its types. */
const schema = /\bz(\s*)\.(?!output\b|input\b|Zod)/g

export const noSchemas: Plugin = {
  name: 'no-schemas',
  setup: build => {
    build.onLoad({ filter: /src\/api\/[\w-]+\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace(schema, '(void 0)$1?.'),
      loader: 'ts',
    }))
  },
}
