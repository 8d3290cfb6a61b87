/** The folder that a search is limited to, and the way to search everywhere. */
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { itemQuery } from '../../lib/data/metadata.ts'
import { readSearch } from '../../lib/data/search.ts'
import { usePhone } from '../../ui/use-phone.ts'
import styles from './search-heading.module.css'

export function SearchScope({ folderId }: { folderId: number }) {
  const navigate = useNavigate()
  const { data } = useQuery(itemQuery(folderId))
  const widen = () =>
    void navigate({ to: '/search', search: now => readSearch({ ...now, in: undefined }), replace: true })
  return (
    <div className={styles.scope}>
      <span className={styles.within} title={data?.name}>
        {data ? (
          <>
            in <b dir="auto">{data.name}</b>
          </>
        ) : (
          'in one folder'
        )}
      </span>
      <Button variant="default" size={usePhone() ? 'lg' : 'xs'} onClick={widen}>
        Search everywhere
      </Button>
    </div>
  )
}
