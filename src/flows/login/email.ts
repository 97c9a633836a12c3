import { loginWithCode } from './code.ts'
import type { Way } from './context.ts'

/** Logs in with a code that is mailed. */
export const way: Way = async (cx, { value: email = '' }) =>
  loginWithCode(cx, {
    auth: await cx.auth.email(),
    via: 'email',
    to: email,
    shown: email,
    conflictTitle: cx.t('account.conflict.email'),
  })
