/** A name as a toast tells it: short enough that what was done to it can be read. */
import { shortName } from '../../lib/words/short-name.ts'

export function ToastName({ item }: { item: { name: string; is_directory: boolean } }) {
  return (
    <strong title={item.name} dir="auto">
      {shortName(item.name, item.is_directory)}
    </strong>
  )
}
