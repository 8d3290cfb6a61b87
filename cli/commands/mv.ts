/** `filestore mv`: moves and renames. */
import { callByPath } from '../../src/api/by-path.ts'
import type { Call } from '../../src/api/client.ts'
import { moveFile } from '../../src/api/files.ts'
import type { FileDetails, ItemAnswer } from '../../src/api/items.ts'
import { printNotice } from '../../terminal/output.ts'
import { unlessDone } from '../client.ts'
import { type EachToOptions, runEachTo } from '../each-to.ts'
import { shownPath } from '../places.ts'
import type { Target } from '../remote-path.ts'

/** Moves an item. To another place the server copies it and moves the original to the trash, which is said. */
async function moveOne(call: Call, item: FileDetails, { parentId, name }: Target): Promise<ItemAnswer> {
  // Of a move to another place whose answer was lost, the second attempt finds no original any more.
  const answer =
    (await unlessDone(call(moveFile, { id: item.id, parent_id: parentId, name }), 'not_found')) ??
    (await callByPath(call, `/${name ?? item.name}`.normalize('NFC'), parentId))
  if (answer.file.id !== item.id) {
    // What somebody shares goes to the trash of its owner, or of the team folder that it lies in.
    const of = item.place?.from ?? item.place?.name
    const where = of === undefined ? 'in your trash' : `in the trash of '${of}'`
    printNotice(`'${shownPath(item)}' was copied to another place; the original is ${where}`)
  }
  return answer
}

/** Moves all paths but the last to the last one. An item is moved and renamed in one step. */
export const move = (paths: string[], options: EachToOptions): Promise<void> =>
  runEachTo(paths, options, 'MOVED TO', moveOne)
