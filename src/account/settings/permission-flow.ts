import type { Translate } from '../../copy/copy.ts'
import { formatUnits } from '../../ethereum/amounts.ts'
import type { Permission, PermissionUse } from '../../protocol/grants.ts'
import { keyRound } from '../../ui/icons/lucide.ts'
import { shortAddress } from '../../ui/wallet/address-text.ts'
import { day, dayAndTime } from '../dates.ts'
import type { EntryProps } from '../entry.tsx'
import { accountLimits } from '../limits.ts'
import { showEntry } from './entry-flow.ts'
import { itemsOf } from './loaded-lists.ts'
import type { OpenSettings } from './open-settings.ts'

/** A permission of one of the app's servers: what was used of it, when last, and stopping it. */
export async function showPermission(open: OpenSettings, id: string): Promise<void> {
  const { cx, calls, permissions } = open
  const { t, stage } = cx
  await showEntry(
    { cx, calls },
    () => {
      const permission = itemsOf(permissions.get()).find((each) => each.id === id)
      return permission && shown(t, permission)
    },
    permissions,
    {
      async 'stop-permission'() {
        await calls.stopPermission(id, stage.signal)
        await permissions.load()
      },
    },
  )
}

function shown(t: Translate, permission: Permission): Omit<EntryProps, 'error'> {
  const { signer, purpose, address, isActive, limits, uses, expiresAt, endedAt, latest } = permission
  const amount = (units: bigint, { decimals, symbol }: Permission['limits'][number]) =>
    `${formatUnits(units, decimals)} ${symbol}`
  return {
    icon: keyRound,
    title: signer,
    text: t(isActive ? 'settings.permissions.text' : 'settings.permissions.endedText', { signer }),
    address,
    facts: [
      [t('settings.permissions.purpose'), purpose],
      ...limits.map(
        (each) =>
          [
            t('settings.permissions.limit', { asset: each.symbol }),
            t('settings.permissions.of', { used: amount(each.spent, each), total: amount(each.total, each) }),
          ] as const,
      ),
      [t('settings.permissions.uses'), String(uses)],
      ...latest
        .slice(0, accountLimits.permissionUses)
        .map((use) => [t('settings.permissions.last'), useText(t, use)] as const),
      isActive
        ? [t('settings.permissions.until'), day(expiresAt)]
        : [t('settings.permissions.ended'), day(endedAt ?? expiresAt)],
    ],
    actions: isActive ? ['stop-permission'] : [],
  }
}

const known = ['sent', 'confirmed', 'failed'] as const
function useText(t: Translate, { at, target, status }: PermissionUse): string {
  const named = known.find((each) => each === status) ?? 'other'
  const words = t('settings.permissions.lastUse', {
    date: dayAndTime(at),
    status: t(`settings.permissions.status.${named}`),
  })
  return target ? `${shortAddress(target)} · ${words}` : words
}
