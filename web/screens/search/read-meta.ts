/** The filter by a metadata field as the address holds it. */

/** `<field name>:<value>` in its two halves; a field's name holds no colon. */
export function readMeta(meta: string | undefined): { name: string; value: string } {
  const colon = meta?.indexOf(':') ?? -1
  return meta === undefined || colon < 0
    ? { name: '', value: '' }
    : { name: meta.slice(0, colon), value: meta.slice(colon + 1) }
}
