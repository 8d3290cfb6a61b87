/** The settings of sharing with people. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { getSharingSettings, updateSharingSettings } from '../../../src/api/shares.ts'
import type { SharingSettings } from '../../../src/api/sharing-settings.ts'
import { openActs, showAtOnce } from '../../lib/data/show-at-once.ts'
import { call } from '../../lib/server/call.ts'
import { log, logFailure, logged } from '../../lib/server/log-failure.ts'
import { queryClient } from '../../lib/server/query-client.ts'
import { refreshProfile } from '../../lib/server/session.ts'
import { useDelayed } from '../../ui/use-delayed.ts'
import { LoadProblem } from './load-problem.tsx'
import { SwitchRow } from './switch-row.tsx'
import styles from './system-tab.module.css'

const sharingQuery = queryOptions({
  queryKey: ['sharing-settings'],
  queryFn: () => call(getSharingSettings, {}).catch(logged('Failed to load the settings of sharing')),
})

interface Switch {
  key: keyof SharingSettings
  name: string
  explanation: string
  isOn: (settings: SharingSettings) => boolean
  /** The setting that turning it on or off makes. */
  settingFor: (isOn: boolean) => Partial<SharingSettings>
}

const switches: readonly Switch[] = [
  {
    key: 'people',
    name: 'Share with people',
    explanation:
      'Users may share their own files and folders with others. While it is off, what they share sleeps; team folders go on.',
    isOn: ({ people }) => people,
    settingFor: people => ({ people }),
  },
  {
    key: 'everyone',
    name: 'Share with everyone',
    explanation: 'The group Everyone can be given access. While it is off, what is shared with it sleeps.',
    isOn: ({ everyone }) => everyone,
    settingFor: everyone => ({ everyone }),
  },
  {
    key: 'find_people',
    name: 'Find people by a part of their name',
    explanation:
      'While it is off, only a whole username finds somebody to share with, so that nobody can list the users.',
    isOn: ({ find_people }) => find_people === 'names',
    settingFor: isOn => ({ find_people: isOn ? 'names' : 'exact' }),
  },
]

// The profile tells the page what sharing the user is offered.
const runTurn = openActs<keyof SharingSettings>(async () => {
  await queryClient.invalidateQueries({ queryKey: sharingQuery.queryKey })
  await refreshProfile().catch(error => log('Failed to load the profile', error))
})

/** Changes a setting: an optimistic update, rolled back with a refetch when the server refuses. */
async function turn({ key, name, settingFor }: Switch, isOn: boolean): Promise<void> {
  const show = (isMade: boolean) =>
    showAtOnce(sharingQuery.queryKey, settings => ({ ...settings, ...settingFor(isMade === isOn) }))
  try {
    await runTurn(key, show, () => call(updateSharingSettings, settingFor(isOn)))
  } catch (error) {
    logFailure(`Failed to turn ${isOn ? 'on' : 'off'} '${name}'`, error)
  }
}

export function SharingSwitches() {
  const query = useQuery(sharingQuery)
  const isWaiting = useDelayed(query.isPending, 150)
  return (
    <section className={styles.group} aria-label="Sharing">
      <h2 className={styles.heading}>Sharing</h2>
      <LoadProblem query={query} title="Failed to load the settings of sharing" />
      {switches.map(each => (
        <SwitchRow
          key={each.key}
          id={`sharing_${each.key}`}
          name={each.name}
          explanation={each.explanation}
          isOn={query.data && each.isOn(query.data)}
          isWaiting={isWaiting}
          onChange={isOn => void turn(each, isOn)}
        />
      ))}
    </section>
  )
}
