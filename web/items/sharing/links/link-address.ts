/** The addresses of links. Whoever has one gets in, so none is ever logged or kept outside the page's memory. */

/** The whole address; `url` is as the server tells it: whole, or a path on this server. */
export const linkAddress = (url: string): string => new URL(url.replace(/^\//, ''), document.baseURI).href

/** The address without its protocol, to be read. */
export const readableAddress = (url: string): string => linkAddress(url).replace(/^https?:\/\//, '')
