CREATE TABLE "accounts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "accounts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"app_id" text NOT NULL,
	"user_id" text NOT NULL,
	"type" text NOT NULL,
	"subject" text NOT NULL,
	"verified_at" bigint NOT NULL,
	"first_verified_at" bigint,
	"latest_verified_at" bigint
);
--> statement-breakpoint
CREATE TABLE "analytics_events" (
	"id" text PRIMARY KEY NOT NULL,
	"at" bigint NOT NULL,
	"app_id" text NOT NULL,
	"name" text NOT NULL,
	"client_id" text,
	"payload" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "code_addresses" (
	"app_id" text NOT NULL,
	"channel" text NOT NULL,
	"address" text NOT NULL,
	"code_id" text,
	"salt" text,
	"hash" text,
	"expires_at" bigint,
	"tries" integer DEFAULT 0 NOT NULL,
	"sent" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"failed" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"locked_until" bigint,
	"touched_at" bigint NOT NULL,
	CONSTRAINT "code_addresses_app_id_channel_address_pk" PRIMARY KEY("app_id","channel","address")
);
--> statement-breakpoint
CREATE TABLE "fork_tokens" (
	"hash" text PRIMARY KEY NOT NULL,
	"app_id" text NOT NULL,
	"session_id" text NOT NULL,
	"expires_at" bigint NOT NULL,
	"used_at" bigint
);
--> statement-breakpoint
CREATE TABLE "idempotency" (
	"app_id" text NOT NULL,
	"path" text NOT NULL,
	"key_hash" text NOT NULL,
	"fingerprint" text NOT NULL,
	"owner" text NOT NULL,
	"lease_until" bigint NOT NULL,
	"sealed_reply" text,
	"expires_at" bigint NOT NULL,
	CONSTRAINT "idempotency_app_id_path_key_hash_pk" PRIMARY KEY("app_id","path","key_hash")
);
--> statement-breakpoint
CREATE TABLE "installation" (
	"name" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rates" (
	"key" text PRIMARY KEY NOT NULL,
	"hits" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"keep_until" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "refresh_tokens" (
	"hash" text PRIMARY KEY NOT NULL,
	"session_id" text NOT NULL,
	"issued_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"rotated_at" bigint
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"app_id" text NOT NULL,
	"user_id" text NOT NULL,
	"created_at" bigint NOT NULL,
	"ends_at" bigint NOT NULL,
	"revoked_at" bigint,
	"revoked_because" text
);
--> statement-breakpoint
CREATE TABLE "share_releases" (
	"id" text PRIMARY KEY NOT NULL,
	"at" bigint NOT NULL,
	"app_id" text NOT NULL,
	"user_id" text NOT NULL,
	"session_id" text NOT NULL,
	"wallet_id" text NOT NULL,
	"set_id" text,
	"what" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" text PRIMARY KEY NOT NULL,
	"app_id" text NOT NULL,
	"created_at" bigint NOT NULL,
	"accepted_terms_at" bigint,
	"is_guest" boolean DEFAULT false NOT NULL,
	"custom_metadata" jsonb
);
--> statement-breakpoint
CREATE TABLE "wallet_sets" (
	"wallet_id" text NOT NULL,
	"set_id" text NOT NULL,
	"sealed_auth_share" text NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "wallet_sets_wallet_id_set_id_pk" PRIMARY KEY("wallet_id","set_id")
);
--> statement-breakpoint
CREATE TABLE "wallets" (
	"id" text PRIMARY KEY NOT NULL,
	"app_id" text NOT NULL,
	"user_id" text NOT NULL,
	"account_id" bigint NOT NULL,
	"chain_type" text NOT NULL,
	"address" text NOT NULL,
	"wallet_index" integer NOT NULL,
	"imported" boolean DEFAULT false NOT NULL,
	"delegated" boolean DEFAULT false NOT NULL,
	"recovery_method" text NOT NULL,
	"sealed_recovery_package" text NOT NULL,
	"sealed_recovery_key" text NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fork_tokens" ADD CONSTRAINT "fork_tokens_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refresh_tokens" ADD CONSTRAINT "refresh_tokens_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallet_sets" ADD CONSTRAINT "wallet_sets_wallet_id_wallets_id_fk" FOREIGN KEY ("wallet_id") REFERENCES "public"."wallets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallets" ADD CONSTRAINT "wallets_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallets" ADD CONSTRAINT "wallets_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_subject" ON "accounts" USING btree ("app_id","type","subject");--> statement-breakpoint
CREATE INDEX "accounts_user" ON "accounts" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "analytics_events_app" ON "analytics_events" USING btree ("app_id","at");--> statement-breakpoint
CREATE INDEX "code_addresses_touched" ON "code_addresses" USING btree ("touched_at");--> statement-breakpoint
CREATE INDEX "idempotency_expires" ON "idempotency" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "rates_keep" ON "rates" USING btree ("keep_until");--> statement-breakpoint
CREATE INDEX "refresh_tokens_session" ON "refresh_tokens" USING btree ("session_id","rotated_at");--> statement-breakpoint
CREATE INDEX "refresh_tokens_expires" ON "refresh_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_ends" ON "sessions" USING btree ("ends_at");--> statement-breakpoint
CREATE INDEX "share_releases_wallet" ON "share_releases" USING btree ("wallet_id","at");--> statement-breakpoint
CREATE INDEX "users_app" ON "users" USING btree ("app_id");--> statement-breakpoint
CREATE UNIQUE INDEX "wallets_index" ON "wallets" USING btree ("user_id","chain_type","wallet_index") WHERE not "wallets"."imported";--> statement-breakpoint
CREATE UNIQUE INDEX "wallets_account" ON "wallets" USING btree ("account_id");