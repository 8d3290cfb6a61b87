/** The links of a team folder: none to itself; its managers decide whether its editors make links in it. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Space, updateSpace } from '../../../../src/api/spaces.ts'
import { showAtOnce } from '../../../lib/data/show-at-once.ts'
import { spacesQuery } from '../../../lib/data/spaces.ts'
import { useAuth } from '../../../lib/server/auth-store.ts'
import { call, reasonOf } from '../../../lib/server/call.ts'
import { queryClient } from '../../../lib/server/query-client.ts'
import { Toggle } from '../../../ui/toggle.tsx'
import dialog from '../share-dialog.module.css'
import styles from './links.module.css'

/** Decides whether editors may make links; throws the server's error. */
async function setEditorsMayLink({ id }: Space, isOn: boolean): Promise<void> {
  const show = (editors_may_link: boolean) =>
    showAtOnce(spacesQuery.queryKey, spaces => spaces.map(one => (one.id === id ? { ...one, editors_may_link } : one)))
  try {
    await show(isOn)
    await call(updateSpace, { id, editors_may_link: isOn })
  } finally {
    void queryClient.invalidateQueries({ queryKey: ['spaces'] })
  }
}

export function TeamLinks({ folderId }: { folderId: number }) {
  const { data } = useQuery(spacesQuery)
  const isOn = useAuth(({ user }) => user?.sharing.links === true)
  const [problem, setProblem] = useState<string | null>(null)
  const team = data?.find(({ folder_id }) => folder_id === folderId)
  if (!isOn) return <p className={dialog.off}>Links are turned off on this server.</p>
  return (
    <>
      <p className={dialog.off}>A team folder itself has no links. Make them to the files and folders in it.</p>
      {team && (
        <div className={styles.switch}>
          <div>
            <p className={dialog.name}>Editors may make links</p>
            <p id="editors-may-link" className={styles.note}>
              Who may edit in this team folder may also make links to what is in it. Managers always may.
            </p>
          </div>
          <Toggle
            label="Editors may make links"
            describedBy="editors-may-link"
            checked={team.editors_may_link}
            onChange={next => {
              setProblem(null)
              setEditorsMayLink(team, next).catch(error => setProblem(reasonOf(error)))
            }}
          />
        </div>
      )}
      {problem !== null && (
        <p className={dialog.problem} role="alert">
          {problem}
        </p>
      )}
    </>
  )
}
