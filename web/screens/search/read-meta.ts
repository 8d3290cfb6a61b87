/** Parses the metadata filter in the address. */

/** Splits `<field name>:<value>`; a field name contains no colon. */
export function readMeta(meta: string | undefined): { name: string; value: string } {
  const colon = meta?.indexOf(':') ?? -1
  return meta === undefined || colon < 0
    ? { name: '', value: '' }
    : { name: meta.slice(0, colon), value: meta.slice(colon + 1) }
}
