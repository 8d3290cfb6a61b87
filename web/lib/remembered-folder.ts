/** The folder that `/` leads to: the one last looked at in this browser. */
const storageKey = 'current-folder'

/** The id of the folder, null for the root. */
export function rememberedFolder(): number | null {
  const id = Number(localStorage.getItem(storageKey))
  return Number.isSafeInteger(id) && id > 0 ? id : null
}

export function rememberFolder(folderId: number | null): void {
  if (folderId === null) localStorage.removeItem(storageKey)
  else localStorage.setItem(storageKey, String(folderId))
}
