/** Reads links, as their makers and managers see them. */
import type { Call } from '../src/api/client.ts'
import { type Link, listLinks } from '../src/api/links.ts'
import { CommandError } from '../terminal/exit.ts'
import { readLinkAddress } from './link-address.ts'
import { collect, readPages } from './pages.ts'

/** Returns the link with its whole address. A server that does not know its own name tells only the path. */
export const withAddress = (link: Link, server: string): Link =>
  link.url?.startsWith('/') ? { ...link, url: `${server}${link.url}` } : link

/** Reads the user's links, or all of an item, the newest first. */
export const readLinks = (call: Call, itemId?: number): Promise<Link[]> =>
  collect(
    readPages(async cursor => {
      const { links, next_cursor } = await call(listLinks, {
        ...(itemId === undefined ? {} : { item_id: itemId }),
        cursor,
      })
      return { files: links, next_cursor }
    }),
  )

const idForm = /^(?:id:)?([1-9]\d{0,14})$/

/** Returns the id of a link that is given as `7`, `id:7` or by its address. Throws `usage`, and `notFound`. */
export async function findLinkId(call: Call, text: string): Promise<number> {
  const [, id] = idForm.exec(text) ?? []
  if (id !== undefined) return Number(id)
  const address = readLinkAddress(text)
  if (address === undefined) {
    throw new CommandError('usage', `'${text}' is no link: name one by its id ('share links' lists them) or address`)
  }
  const link = (await readLinks(call)).find(({ token }) => token === address.token)
  if (link !== undefined) return link.id
  throw new CommandError('notFound', `'${text}' is none of your links`)
}
