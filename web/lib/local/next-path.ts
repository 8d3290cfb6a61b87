/** Where the page goes after a sign-in: what the address says, if it is a path of this product. */

interface NextSearch {
  /** Where to go after signing in, or after a required password change; a path of this product. */
  next?: string
}

/** Whether a text is a path on this server: browsers treat some that begin with a slash as another host. */
const isOwnPath = (text: string): boolean =>
  text.startsWith('/') &&
  URL.canParse(text, location.origin) &&
  new URL(text, location.origin).origin === location.origin

export const readNext = ({ next }: Record<string, unknown>): NextSearch =>
  // Set undefined explicitly: without the key the router would keep the address's raw value.
  ({ next: typeof next === 'string' && isOwnPath(next) ? next : undefined })
