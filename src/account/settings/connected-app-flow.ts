import { userRound } from '../../ui/icons/lucide.ts'
import { day, dayAndTime } from '../dates.ts'
import { showEntry } from './entry-flow.ts'
import { itemsOf } from './loaded-lists.ts'
import type { OpenSettings } from './open-settings.ts'

/** An app that the user has let in: what it may do, when it last did, and ending that. */
export async function showConnectedApp(
  { cx, calls, connectedApps }: OpenSettings,
  id: string,
): Promise<void> {
  const { t, stage } = cx
  await showEntry(
    { cx, calls },
    () => {
      const app = itemsOf(connectedApps.get()).find((each) => each.id === id)
      if (!app) return undefined
      const { name, iconUrl, access, connectedAt, lastUsedAt, expiresAt } = app
      return {
        icon: iconUrl ?? userRound,
        title: name,
        text: t(`settings.connectedApps.text.${access}`, { app: name }),
        facts: [
          [t('settings.connectedApps.since'), day(connectedAt)],
          [t('settings.used'), dayAndTime(lastUsedAt)],
          [
            t('settings.connectedApps.until'),
            expiresAt ? dayAndTime(expiresAt) : t('settings.connectedApps.over'),
          ],
        ],
        actions: ['disconnect-app'],
      }
    },
    connectedApps,
    {
      async 'disconnect-app'() {
        await calls.disconnectApp(id, stage.signal)
        await connectedApps.load()
      },
    },
  )
}
