/** The configuration that the server writes into the page: limits, the style nonce, and the base path. */
import type { PageConfig } from '../../../src/api/page.ts'

const element = document.getElementById('config')

export const pageConfig = JSON.parse(element?.textContent ?? '') as PageConfig

/** The nonce that styles added by scripts must carry. Read the property: browsers hide the attribute's value. */
export const styleNonce = element?.nonce ?? ''

/** The path that the product is mounted at; ends with a slash. */
export const basePath = new URL(document.baseURI).pathname

/** The absolute address of a call: `/files/3/download` becomes `https://…/api/files/3/download`. */
export const apiUrl = (path: string): string => new URL(`api${path}`, document.baseURI).href
