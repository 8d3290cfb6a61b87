/** Whether items are shown as rows or as cards; remembered by the browser. */
import { create } from 'zustand'
import { persist } from 'zustand/middleware'

export type View = 'list' | 'grid'

export const useView = create<{ view: View }>()(
  persist((): { view: View } => ({ view: 'list' }), { name: 'files-view' }),
)

export function showAs(view: View): void {
  useView.setState({ view })
}
