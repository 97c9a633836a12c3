/** The public names of the package. */
export type {
  AccountLink,
  AccountSettings,
  LatchkeyEventMap,
  LoginModal,
  MfaEnroll,
  PasskeyManager,
  WalletActivity,
  WalletBalances,
  WalletConnector,
  WalletCreate,
  WalletExport,
  WalletFund,
  WalletRecovery,
  WalletSend,
  WalletSign,
} from '../elements/all.ts'
export { createKit } from '../elements/create-kit.ts'
export type { HostConfig } from './app/config.ts'
export type { CopyKey, CopyOverrides } from './copy/copy.ts'
export { type ErrorCode, errorCodes, type KnownErrorCode } from './errors/codes.ts'
export { KitError } from './errors/kit-error.ts'
export type {
  AccountChange,
  AccountToUnlink,
  ActivityEntry,
  Balance,
  CallInput,
  CallsReceipt,
  CallsStatus,
  ConnectedWallet,
  ConnectOrCreateOptions,
  ConnectWalletOptions,
  CreateWalletOptions,
  CrossAppRequest,
  CrossAppRequestOptions,
  CrossAppRequests,
  DelegateWalletOptions,
  DowngradeWalletOptions,
  EmbeddedWallet,
  EnrollmentInput,
  FetchWithPaymentOptions,
  FundedWallet,
  FundWalletOptions,
  HeadlessMethods,
  ImportWalletOptions,
  Kit,
  KitEvents,
  KitMfa,
  KitOptions,
  KitState,
  LinkOptions,
  LoginOptions,
  Look,
  ManageOptions,
  MfaOptions,
  MfaState,
  OnChain,
  PasskeyChallenge,
  PaymentCap,
  RecoveryUiOptions,
  RemoveDeviceOptions,
  RevokeDelegationOptions,
  SendCallsOptions,
  SendFormOptions,
  SendPrefill,
  SentByForm,
  SentTransaction,
  SetRecoveryOptions,
  SignAuthorizationOptions,
  SignedAuthorization,
  SignedPayment,
  SignerOptions,
  SignFarcasterOptions,
  SignOptions,
  SignTransactionOptions,
  SignTypedDataOptions,
  SignUiOptions,
  SmartWallet,
  SolanaBatchOptions,
  TransactionReceipt,
  TypedDataInput,
  TypedDataSignature,
  UnlinkOptions,
  UpdateOptions,
  UpgradeWalletOptions,
} from './kit/api.ts'
export type { Readable } from './lib/store.ts'
export { version } from './lib/version.ts'
export type { FlowState, FlowStatus } from './login/flow-state.ts'
export type { HeadlessCalls, TransferRequest } from './login/headless-calls.ts'
export type { MfaMethod } from './mfa/methods.ts'
export type { ConnectedApp } from './protocol/connected-apps.ts'
export type { RequestAsked } from './protocol/cross-app-requests.ts'
export type { Device } from './protocol/devices.ts'
export type { Permission, PermissionLimit, PermissionUse } from './protocol/grants.ts'
export type { LoginMethod } from './protocol/login-method.ts'
export type {
  CustomAccount,
  EmailAccount,
  LinkedAccount,
  OtherAccount,
  PasskeyAccount,
  PhoneAccount,
  SocialAccount,
  SocialName,
  TelegramAccount,
  User,
  WalletAccount,
} from './protocol/user.ts'
export type { UserSession } from './protocol/user-sessions.ts'
export type { EthereumProvider, SolanaProvider } from './wallets/external/connector.ts'
