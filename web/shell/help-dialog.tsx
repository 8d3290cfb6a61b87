/** The list of keyboard shortcuts, on the screen and on paper. */
import { Button } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import { Dialog } from '../ui/dialog.tsx'
import { DialogActions } from '../ui/dialog-actions.tsx'
import { PrintedHead } from '../ui/print/printed-head.tsx'
import { Printout } from '../ui/print/printout.tsx'
import { usePhone } from '../ui/use-phone.ts'
import { hideHelp, useHelp } from './help.ts'
import styles from './help-dialog.module.css'

interface Group {
  title: string
  /** What a shortcut does, and its keys: pressed together or, for two directions, one each. */
  keys: readonly [act: string, ...keys: string[]][]
}

const columns: readonly Group[][] = [
  [
    {
      title: 'Move around',
      keys: [
        ['Open, or step into a folder', 'Enter'],
        ['One folder up', 'Backspace'],
        ['Show in folder, from a list across folders', 'F'],
        ['First / last item', 'Home', 'End'],
        ['Search files', '/'],
        ['Show or hide folders', '['],
        ['Show or hide details', ']'],
        ['Print the list or the file', 'Ctrl', 'P'],
      ],
    },
    {
      title: 'Select',
      keys: [
        ['Select or unselect', 'Ctrl', 'Space'],
        ['Extend the selection', 'Shift', '↓'],
        ['Select all', 'Ctrl', 'A'],
        ['Clear the selection', 'Esc'],
      ],
    },
    {
      title: 'In the preview of a waiting file',
      keys: [
        ['Approve', 'A'],
        ['Reject', 'R'],
      ],
    },
  ],
  [
    {
      title: 'Act on items',
      keys: [
        ['Preview', 'Space'],
        ['Rename', 'F2'],
        ['Manage Tags', 'T'],
        ['Move', 'M'],
        ['Download', 'D'],
        ['Share with people', 'P'],
        ['Add to favorites', 'S'],
        ['Delete', 'Del'],
        ['Undo', 'Ctrl', 'Z'],
      ],
    },
    {
      title: 'Make',
      keys: [
        ['Upload', 'U'],
        ['New Folder', 'N'],
        ['Paste files', 'Ctrl', 'V'],
      ],
    },
  ],
]

const title = 'Keyboard shortcuts'

export function HelpDialog() {
  const isOpen = useHelp(state => state.isOpen)
  const size = usePhone() ? 'lg' : 'sm'
  return (
    <Dialog opened={isOpen} onClose={hideHelp} title={title} size={720}>
      <KeyGroups />
      <DialogActions>
        <Button
          variant="default"
          size={size}
          leftSection={<IconPrinter size={16} stroke={1.75} aria-hidden />}
          onClick={() => window.print()}
        >
          Print
        </Button>
      </DialogActions>
      {isOpen && (
        <Printout isOver>
          {() => (
            <>
              <PrintedHead title={title} />
              <KeyGroups />
            </>
          )}
        </Printout>
      )}
    </Dialog>
  )
}

const KeyGroups = () => (
  <div className={styles.columns}>
    {columns.map(groups => (
      <div key={groups[0]?.title}>
        {groups.map(group => (
          <KeyGroup key={group.title} {...group} />
        ))}
      </div>
    ))}
  </div>
)

function KeyGroup({ title: about, keys }: Group) {
  return (
    <section className={styles.group}>
      <h3 className={styles.title}>{about}</h3>
      <dl className={styles.list}>
        {keys.map(([act, ...names]) => (
          <div key={act} className={styles.row}>
            <dt>{act}</dt>
            <dd className={styles.keys}>
              {names.map(name => (
                <kbd key={name} className={styles.key}>
                  {name}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
