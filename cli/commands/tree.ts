/** `filestore tree`: prints a folder with everything below it. */
import type { Call } from '../../src/api/client.ts'
import type { FileItem } from '../../src/api/items.ts'
import { CommandError } from '../../terminal/exit.ts'
import { countOf, formatSize } from '../../terminal/format.ts'
import { printData, printJson } from '../../terminal/output.ts'
import { visible } from '../../terminal/visible.ts'
import { type Descend, openDescent } from '../descent.ts'
import { nameCell, pathCell } from '../item-cells.ts'
import { collect, readFolder } from '../pages.ts'
import { findRemote } from '../remote-path.ts'
import { type ProfileOption, runSignedIn } from '../signed-in.ts'

export interface TreeOptions extends ProfileOption {
  depth?: number
  json?: boolean
}

interface Leaf {
  item: FileItem
  /** The lines that are drawn in front of its name. */
  branch: string
}

interface Walk {
  call: Call
  descend: Descend
  /** The number of levels to show. */
  depth: number
}

/** Yields every item below a folder; each folder comes right before its contents. Throws like `descend`. */
async function* walk(run: Walk, parentId: number | null, level = 1, indent = ''): AsyncGenerator<Leaf> {
  const items = await collect(readFolder(run.call, parentId))
  for (const [index, item] of items.entries()) {
    const isLast = index === items.length - 1
    yield { item, branch: `${indent}${isLast ? '└── ' : '├── '}` }
    if (!item.is_directory || level >= run.depth) continue
    run.descend(item, level)
    yield* walk(run, item.id, level + 1, `${indent}${isLast ? '    ' : '│   '}`)
  }
}

function formatCounts(items: readonly FileItem[]): string {
  const files = items.filter(item => !item.is_directory)
  const size = files.reduce((sum, file) => sum + file.size, 0)
  return `${countOf(items.length - files.length, 'folder')}, ${countOf(files.length, 'file')}, ${formatSize(size)}`
}

/** Prints each line as soon as it is known, or with `--json` the list of items in the same order. */
export const showTree = (path: string, options: TreeOptions): Promise<void> =>
  runSignedIn(options, async ({ call }) => {
    const top = await findRemote(call, path)
    if (top !== null && !top.is_directory) throw new CommandError('usage', `'${path}' is a file: tree takes folders`)
    let heading: string | undefined = top === null ? '/' : visible(pathCell(top))
    const printLine = (line: string) => {
      if (options.json) return
      // Print the heading only now, because only now the folder is known to be readable.
      printData(heading === undefined ? line : `${heading}\n${line}`)
      heading = undefined
    }
    const items: FileItem[] = []
    const run: Walk = { call, descend: openDescent(), depth: options.depth ?? Number.POSITIVE_INFINITY }
    if (top !== null) run.descend(top, 0)
    for await (const { item, branch } of walk(run, top?.id ?? null)) {
      items.push(item)
      printLine(`${branch}${visible(nameCell(item))}`)
    }
    printLine(`\n${formatCounts(items)}`)
    if (options.json) printJson(items)
  })
