/** The team folders of the server. Who administers them does not see their files. */
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { Space } from '../../../src/api/spaces.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { TeamDrawing } from '../../ui/drawings.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useLast } from '../../ui/use-last.ts'
import { usePhone } from '../../ui/use-phone.ts'
import { DeleteTeamDialog } from './delete-team-dialog.tsx'
import { LoadProblem } from './load-problem.tsx'
import { TabHead } from './tab-head.tsx'
import { TableSkeleton } from './table-skeleton.tsx'
import { allTeamsQuery } from './team-changes.ts'
import { TeamForm } from './team-form.tsx'
import { TeamTable } from './team-table.tsx'

export function TeamsTab() {
  const query = useQuery(allTeamsQuery)
  const navigate = useNavigate()
  // The screen of team folders leads to the form.
  const isAsked = useLocation({ select: ({ hash }) => hash === 'new' })
  const [form, setForm] = useState<{ team: Space | null } | null>(isAsked ? { team: null } : null)
  const [deleted, setDeleted] = useState<Space | null>(null)
  const shownForm = useLast(form)
  const size = usePhone() ? 'lg' : 'sm'
  const newButton = useRef<HTMLButtonElement>(null)
  const closeForm = () => {
    setForm(null)
    if (!isAsked) return
    void navigate({ to: '.', hash: '', replace: true })
    // What led to the form is on another screen.
    newButton.current?.focus()
  }
  return (
    <>
      <TabHead words="Only the members of a team folder see its files.">
        <Button
          ref={newButton}
          size={size}
          leftSection={<IconPlus size={16} stroke={1.75} aria-hidden />}
          onClick={() => setForm({ team: null })}
        >
          New Team Folder
        </Button>
      </TabHead>
      <LoadProblem query={query} title="Failed to load team folders" />
      <TableSkeleton isPending={query.isPending} phoneRowHeight={112} />
      {query.data && query.data.length > 0 && (
        <TeamTable teams={query.data} onEdit={team => setForm({ team })} onDelete={setDeleted} />
      )}
      {query.data?.length === 0 && (
        <EmptyState
          drawing={<TeamDrawing />}
          title="No team folders yet"
          sentence="A team folder belongs to its members together, and has a quota of its own"
        />
      )}
      <Dialog
        opened={form !== null}
        onClose={closeForm}
        title={shownForm?.team ? 'Edit Team Folder' : 'New Team Folder'}
        size={480}
        closeOnClickOutside={false}
      >
        <TeamForm team={shownForm?.team ?? null} onClose={closeForm} />
      </Dialog>
      <DeleteTeamDialog
        team={deleted}
        onClose={() => setDeleted(null)}
        // The focused button is removed with its row, so move the focus.
        onDeleted={() => newButton.current?.focus()}
      />
    </>
  )
}
