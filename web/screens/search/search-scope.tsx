/** What part of the tree a search covers: everything, or one folder with all below it. */
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { itemQuery } from '../../lib/data/metadata.ts'
import { readSearch } from '../../lib/data/search.ts'
import { useLastFolder } from '../../lib/local/remembered-folder.ts'
import { shortName } from '../../lib/words/short-name.ts'
import { usePhone } from '../../ui/use-phone.ts'
import styles from './search-heading.module.css'

/** `folderId` is undefined where the search covers everything; then it can be limited to the folder viewed last. */
export function SearchScope({ folderId }: { folderId: number | undefined }) {
  const last = useLastFolder()
  // After a reload the name of the folder is not known yet.
  const isNameless = folderId === undefined && last.id !== null && last.name === null
  const { data } = useQuery({ ...itemQuery(last.id ?? 0), enabled: isNameless })
  const navigate = useNavigate()
  const size = usePhone() ? 'lg' : 'xs'
  const search = (within: number | undefined) =>
    void navigate({ to: '/search', search: now => readSearch({ ...now, in: within }), replace: true })
  if (folderId !== undefined) {
    return (
      <div className={styles.scope}>
        <Within folderId={folderId} />
        <Button variant="default" size={size} onClick={() => search(undefined)}>
          Search everywhere
        </Button>
      </div>
    )
  }
  const { id } = last
  const name = last.name ?? data?.name
  if (id === null || name === undefined) return null
  return (
    <div className={styles.scope}>
      <Button variant="default" size={size} title={name} onClick={() => search(id)}>
        Only in {shortName(name, true)}
      </Button>
    </div>
  )
}

function Within({ folderId }: { folderId: number }) {
  const { data } = useQuery(itemQuery(folderId))
  return (
    <span className={styles.within} title={data?.name}>
      {data ? (
        <>
          in <b dir="auto">{data.name}</b>
        </>
      ) : (
        'in one folder'
      )}
    </span>
  )
}
