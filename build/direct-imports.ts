/**
 * Replaces imports from a package's index by imports from the files that define the names. esbuild splits by file, so a
 * name that one lazy screen imports from an index counts as needed by everything that imports that index, and would end
 * up in the first load.
 */
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Plugin } from 'esbuild'

/** Packages whose index gathers many files: the index file, and how a line of it names a file's exports. */
const indexes = {
  '@mantine/core': { file: 'esm/index.mjs', line: /^import \{ ([^}]+) \} from "([^"]+)"/gm },
  '@mantine/hooks': { file: 'esm/index.mjs', line: /^import \{ ([^}]+) \} from "([^"]+)"/gm },
  '@mantine/notifications': { file: 'esm/index.mjs', line: /^import \{ ([^}]+) \} from "([^"]+)"/gm },
  '@tabler/icons-react': { file: 'dist/esm/tabler-icons-react.mjs', line: /^export \{ ([^}]+) \} from '([^']+)'/gm },
  '@tanstack/react-router': { file: 'dist/esm/index.js', line: /^import \{ ([^}]+) \} from "([^"]+)"/gm },
}
type Name = keyof typeof indexes

/** Where a name comes from: the file, and the name it has there. */
interface Source {
  file: string
  original: string
}

async function readIndex(modules: string, name: Name): Promise<Map<string, Source>> {
  const { file, line } = indexes[name]
  const path = join(modules, name, file)
  const found = new Map<string, Source>()
  for (const [, names = '', target = ''] of (await readFile(path, 'utf8')).matchAll(line)) {
    for (const each of names.split(',')) {
      const [original = '', exported = original] = each.trim().split(' as ')
      found.set(exported, { file: target.startsWith('.') ? join(dirname(path), target) : target, original })
    }
  }
  return found
}

const importForm = new RegExp(`import \\{([^}]+)\\} from ['"](${Object.keys(indexes).join('|')})['"];?`, 'g')

function rewrite(text: string, maps: Record<string, Map<string, Source>>): string {
  return text.replace(importForm, (whole, names: string, from: string) => {
    const values = names.split(',').filter(each => each.trim() !== '' && !each.trim().startsWith('type '))
    const lines = values.map(each => {
      const [name = '', local = name] = each.trim().split(' as ')
      const source = maps[from]?.get(name)
      return source && `import { ${source.original} as ${local} } from ${JSON.stringify(source.file)};`
    })
    // A name that the index itself defines can only be imported from the index.
    return lines.every(line => line !== undefined) ? lines.join('') : whole
  })
}

export const directImports = (root: string): Plugin => ({
  name: 'direct-imports',
  async setup(build) {
    const modules = join(root, 'node_modules')
    const maps = Object.fromEntries(
      await Promise.all((Object.keys(indexes) as Name[]).map(async name => [name, await readIndex(modules, name)])),
    )
    build.onLoad({ filter: /[\\/](web|@mantine)[\\/].*\.(tsx?|mjs)$/ }, async ({ path }) => ({
      contents: rewrite(await readFile(path, 'utf8'), maps),
      loader: path.endsWith('.tsx') ? 'tsx' : path.endsWith('.ts') ? 'ts' : 'js',
    }))
  },
})
