/** Which trash the address shows. */
interface TrashSearch {
  /** A team folder; absent for the own trash. */
  folder?: number
}

export const readTrash = ({ folder }: Record<string, unknown>): TrashSearch => ({
  folder: Number.isSafeInteger(Number(folder)) && Number(folder) > 0 ? Number(folder) : undefined,
})
