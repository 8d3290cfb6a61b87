/** A name in a toast, shortened so that the rest of the sentence stays visible. */
import { shortName } from '../../lib/words/short-name.ts'

export function ToastName({ item }: { item: { name: string; is_directory: boolean } }) {
  return (
    <strong title={item.name} dir="auto">
      {shortName(item.name, item.is_directory)}
    </strong>
  )
}
