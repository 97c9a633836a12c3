import { Icon } from '../ui/brand/icon.tsx'
import { smartphone } from '../ui/icons/landing.ts'
import { clock, fingerprint } from '../ui/icons/lucide.ts'
import type { MfaMethod } from './methods.ts'

export const methodIcons = { totp: clock, sms: smartphone, passkey: fingerprint } as const satisfies Record<
  MfaMethod,
  string
>

export const FactorIcon = ({ method }: { method: MfaMethod }) => (
  <Icon path={methodIcons[method]} size={24} stroke={1.75} />
)
