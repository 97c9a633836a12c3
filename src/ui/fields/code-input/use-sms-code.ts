import { useEffect, useRef } from 'react'

/**
 * Takes the code out of the text message, if the browser can (WebOTP) and the person agrees. Everybody else
 * types.
 * @param asked a new value each time a code may be on its way
 */
export function useSmsCode(enabled: boolean, asked: unknown, take: (code: string) => void): void {
  const latest = useRef(take)
  useEffect(() => {
    latest.current = take
  })
  useEffect(() => {
    void asked
    if (!enabled || !('OTPCredential' in window)) return
    const end = new AbortController()
    const request = { otp: { transport: ['sms'] }, signal: end.signal }
    navigator.credentials.get(request).then(
      (found) => {
        if (found && 'code' in found && !end.signal.aborted) latest.current(String(found.code))
      },
      () => {},
    )
    return () => end.abort()
  }, [enabled, asked])
}
