/** An item's name on one line; a long one is cut in the middle, so that its end and extension stay visible. */
import { splitAtTail } from '../lib/words/short-name.ts'
import { MiddleText } from '../ui/middle-text.tsx'

export function ItemName({ item }: { item: { name: string; is_directory: boolean } }) {
  return <MiddleText {...splitAtTail(item.name, item.is_directory)} />
}
