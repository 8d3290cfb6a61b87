/** The configuration that the server writes into the page: limits, the style nonce, and the base path. */
import type { PageConfig, VisitConfig } from '../../../src/api/page.ts'

const element = document.getElementById('config')

export const pageConfig = JSON.parse(element?.textContent ?? '') as PageConfig

/** The nonce that styles added by scripts must carry. Read the property: browsers hide the attribute's value. */
export const styleNonce = element?.nonce ?? ''

/** The path that the product is mounted at; ends with a slash. */
export const basePath = new URL(document.baseURI).pathname

/** The absolute address of a call: `/files/3/download` becomes `https://…/api/files/3/download`. */
export const apiUrl = (path: string): string => new URL(`api${path}`, document.baseURI).href

/** The token of the link that a visitor's page shows, and what it shows first; undefined in the product itself. */
export const { token: linkToken, hasPicture } = pageConfig as Partial<VisitConfig>

/** The path before those of items: a visitor reaches them through the link alone. */
const itemsPath = linkToken === undefined ? '' : `/s/${encodeURIComponent(linkToken)}`

/** The address of a file's bytes. */
export const itemUrl = (id: number | undefined, what: 'download' | 'preview' | 'thumbnail'): string =>
  apiUrl(`${itemsPath}/files/${id}/${what}`)
