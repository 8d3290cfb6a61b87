/** `filestore favorites`: lists, adds and removes favorites. */
import { favoriteFile, listFavorites } from '../../src/api/files.ts'
import { printData, printJson, printNotice } from '../../terminal/output.ts'
import { runEach } from '../each.ts'
import { formatHits, formatPaths } from '../item-cells.ts'
import { collect, readPages } from '../pages.ts'
import { findRemoteItem } from '../remote-path.ts'
import { type ProfileOption, runSignedIn } from '../signed-in.ts'

export interface FavoritesOptions extends ProfileOption {
  json?: boolean
}

export const listFavoriteItems = (options: FavoritesOptions): Promise<void> =>
  runSignedIn(options, async ({ call }) => {
    const items = await collect(readPages(cursor => call(listFavorites, { cursor })))
    if (options.json) return printJson(items)
    if (items.length === 0) return printNotice('No favorites yet')
    printData(formatHits(items))
  })

/** Adds items to the favorites or removes them. An item that is already in the wanted state stays as it is. */
export const markFavorites = (paths: string[], isFavorite: boolean, options: FavoritesOptions): Promise<void> =>
  runSignedIn(options, async ({ server, call }) => {
    const head = isFavorite ? 'FAVORITE' : 'NO LONGER A FAVORITE'
    await runEach(server, paths, options, formatPaths(head), async text => {
      const { id } = await findRemoteItem(call, text)
      return (await call(favoriteFile, { id, is_favorite: isFavorite })).file
    })
  })
