/** The system's five settings, and information about the server. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Setting, type SettingKey, updateSetting } from '../../../src/api/settings.ts'
import { settingsQuery } from '../../lib/data/settings.ts'
import { openActs, showAtOnce } from '../../lib/data/show-at-once.ts'
import { call, reasonOf } from '../../lib/server/call.ts'
import { logFailure } from '../../lib/server/log-failure.ts'
import { queryClient } from '../../lib/server/query-client.ts'
import { ErrorStrip } from '../../ui/error-strip.tsx'
import { useDelayed } from '../../ui/use-delayed.ts'
import { SharingSwitches } from './sharing-switches.tsx'
import { SwitchRow } from './switch-row.tsx'
import { type SwitchGroup, switchGroups } from './switches.ts'
import { SystemInfo } from './system-info.tsx'
import styles from './system-tab.module.css'

// The fields of an upload depend on the settings too.
const runTurn = openActs<SettingKey>(() =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey: [first] }) => first === 'settings' || first === 'upload-fields',
  }),
)

const settingFor = (isOn: boolean) => (isOn ? 'true' : 'false')

/** Changes a setting: an optimistic update, rolled back with a refetch when the server refuses. */
async function turn(key: SettingKey, name: string, isOn: boolean): Promise<void> {
  const show = (isMade: boolean) =>
    showAtOnce(settingsQuery.queryKey, settings =>
      settings.map(setting => (setting.key === key ? { ...setting, value: settingFor(isMade === isOn) } : setting)),
    )
  try {
    await runTurn(key, show, () => call(updateSetting, { key, value: settingFor(isOn) }))
  } catch (error) {
    logFailure(`Failed to turn ${isOn ? 'on' : 'off'} '${name}'`, error)
  }
}

export function SystemTab() {
  const { data: settings, error, errorUpdateCount, isPending, refetch } = useQuery(settingsQuery)
  const [dismissed, setDismissed] = useState(0)
  const isWaiting = useDelayed(isPending, 150)
  return (
    <>
      {error && errorUpdateCount > dismissed && (
        <ErrorStrip
          title="Failed to load settings"
          reason={reasonOf(error)}
          onRetry={() => void refetch()}
          onDismiss={() => setDismissed(errorUpdateCount)}
        />
      )}
      <div className={styles.page}>
        {switchGroups.map(group => (
          <Group key={group.title} group={group} settings={settings} isWaiting={isWaiting} />
        ))}
        <SharingSwitches />
        <SystemInfo />
      </div>
    </>
  )
}

interface GroupProps {
  group: SwitchGroup
  /** Undefined while loading. */
  settings: readonly Setting[] | undefined
  isWaiting: boolean
}

function Group({ group, settings, isWaiting }: GroupProps) {
  const isOn = (key: SettingKey) => settings?.some(setting => setting.key === key && setting.value === 'true') === true
  return (
    <section className={styles.group} aria-label={group.title}>
      <h2 className={styles.heading}>{group.title}</h2>
      {group.switches.map(({ key, name, explanation, parent }) => {
        const isBlocked = parent !== undefined && settings !== undefined && !isOn(parent.key)
        return (
          <SwitchRow
            key={key}
            id={key}
            name={name}
            explanation={explanation}
            blockedBy={isBlocked ? parent.name : undefined}
            isOn={settings && isOn(key)}
            isWaiting={isWaiting}
            onChange={on => void turn(key, name, on)}
          />
        )
      })}
    </section>
  )
}
