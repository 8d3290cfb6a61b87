/** The settings of sharing, with people and by links. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { getSharingSettings, updateSharingSettings } from '../../../src/api/shares.ts'
import type { SharingSettings } from '../../../src/api/sharing-settings.ts'
import { openActs, showAtOnce } from '../../lib/data/show-at-once.ts'
import { call } from '../../lib/server/call.ts'
import { log, logFailure, logged } from '../../lib/server/log-failure.ts'
import { queryClient } from '../../lib/server/query-client.ts'
import { refreshProfile } from '../../lib/server/session.ts'
import { useDelayed } from '../../ui/use-delayed.ts'
import { LinkDays } from './link-days.tsx'
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
  /** Whether it has no effect while links are off. */
  isOfLinks?: true
}

const linksName = 'Share by link'

const switches: readonly Switch[] = [
  {
    key: 'people',
    name: 'Share with people',
    explanation:
      'Users may share their own files and folders with others. While it is off, what they share cannot be opened by others. Team folders are not affected.',
    isOn: ({ people }) => people,
    settingFor: people => ({ people }),
  },
  {
    key: 'everyone',
    name: 'Share with everyone',
    explanation:
      'The group Everyone can be given access. While it is off, what is shared with it cannot be opened through it.',
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
  {
    key: 'links',
    name: linksName,
    explanation:
      'Users may share files and folders by link, with people without an account. While it is off, no link works.',
    isOn: ({ links }) => links,
    settingFor: links => ({ links }),
  },
  {
    key: 'link_uploads',
    name: 'Uploads by link',
    explanation: 'Links may let visitors upload into a folder. While it is off, links for that alone do not work.',
    isOn: ({ link_uploads }) => link_uploads,
    settingFor: link_uploads => ({ link_uploads }),
    isOfLinks: true,
  },
  {
    key: 'link_password_required',
    name: 'Links need a password',
    explanation: 'Links without a password stop working, until one is set.',
    isOn: ({ link_password_required }) => link_password_required,
    settingFor: link_password_required => ({ link_password_required }),
    isOfLinks: true,
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

/** Sets after how many days every link must end; 0: it need not. Throws the server's error. */
async function setMaxDays(link_max_days: number): Promise<void> {
  await call(updateSharingSettings, { link_max_days })
  await queryClient.invalidateQueries({ queryKey: sharingQuery.queryKey })
  await refreshProfile().catch(error => log('Failed to load the profile', error))
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
          blockedBy={each.isOfLinks && query.data?.links === false ? linksName : undefined}
          isWaiting={isWaiting}
          onChange={isOn => void turn(each, isOn)}
        />
      ))}
      {query.data && <LinkDays key={query.data.link_max_days} days={query.data.link_max_days} onSave={setMaxDays} />}
    </section>
  )
}
