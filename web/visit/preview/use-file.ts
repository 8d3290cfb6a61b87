/** The file of an address, which may not be among those that are listed. */
import { useEffect, useState } from 'react'
import { getLinkFile, type VisitorItem } from '../../../src/api/visits.ts'
import { confirmLink } from '../link.ts'
import { call, token } from '../link-calls.ts'

export interface FoundFile {
  /** Undefined until it is known. */
  item: VisitorItem | undefined
  isGone: boolean
}

/** `listed` is the file where the list has it; else the server is asked. */
export function useFile(id: number, listed: VisitorItem | undefined): FoundFile {
  const [found, setFound] = useState<{ id: number; item: VisitorItem | null } | null>(null)
  const isListed = listed !== undefined
  useEffect(() => {
    if (isListed) return
    let isStale = false
    const note = (item: VisitorItem | null) => {
      if (!isStale) setFound({ id, item })
    }
    call(getLinkFile, { token, id })
      .then(({ file }) => note(file.is_directory ? null : file))
      .catch(async error => {
        if (await confirmLink(error)) note(null)
      })
    return () => {
      isStale = true
    }
  }, [id, isListed])
  const asked = found?.id === id ? found.item : undefined
  return { item: listed ?? asked ?? undefined, isGone: !isListed && asked === null }
}
