/** What the server wrote into the page before it was sent: limits, the style nonce, and where the page is mounted. */
import type { PageConfig } from '../../../src/api/page.ts'

const element = document.getElementById('config')

export const pageConfig = JSON.parse(element?.textContent ?? '') as PageConfig

/** The nonce that styles made by scripts must carry. The attribute reads as empty, the property does not. */
export const styleNonce = element?.nonce ?? ''

/** The path that the product is mounted under; ends in a slash. */
export const basePath = new URL(document.baseURI).pathname

/** The absolute address of a call: `/files/3/download` becomes `https://…/api/files/3/download`. */
export const apiUrl = (path: string): string => new URL(`api${path}`, document.baseURI).href
