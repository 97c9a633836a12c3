import type {} from 'latchkey/react'

// Each line that follows a remark "wrong" must be refused, and no other.
export const right = <login-modal theme="dark" onlk-user={(event) => event.detail.user?.id} open />
export const funds = (
  <wallet-fund asset="USDC" amount="0.05" onlk-fund-status={(event) => event.detail.amount} />
)
// wrong
export const asset = <wallet-fund asset={5} />
// wrong
export const money = <wallet-fund onlk-fund-status={(event) => event.detail.money} />
// wrong
export const signature = <login-modal onlk-signature={() => {}} />
// wrong
export const theme = <login-modal theme="purple" />
// wrong
export const config = <login-modal config={{ loginMethods: ['mail'] }} />
// wrong
export const detail = <login-modal onlk-user={(event) => event.detail.person} />
