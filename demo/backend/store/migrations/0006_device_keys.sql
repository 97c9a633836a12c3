CREATE TABLE "devices" (
	"id" text PRIMARY KEY NOT NULL,
	"app_id" text NOT NULL,
	"user_id" text NOT NULL,
	"thumbprint" text NOT NULL,
	"name" text NOT NULL,
	"place" text NOT NULL,
	"enrolled_by" text NOT NULL,
	"created_at" bigint NOT NULL,
	"last_used_at" bigint NOT NULL,
	"removed_at" bigint
);
--> statement-breakpoint
CREATE TABLE "used_proofs" (
	"hash" text PRIMARY KEY NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "recovery_present" (
	"wallet_id" text NOT NULL,
	"device_id" text NOT NULL,
	"at" bigint NOT NULL,
	CONSTRAINT "recovery_present_wallet_id_device_id_pk" PRIMARY KEY("wallet_id","device_id")
);
--> statement-breakpoint
ALTER TABLE "share_releases" ALTER COLUMN "wallet_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "share_releases" ALTER COLUMN "address" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "authenticated_at" bigint;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "device_id" text;--> statement-breakpoint
ALTER TABLE "recovery_secrets" ADD COLUMN "verifier" text;--> statement-breakpoint
ALTER TABLE "wallet_sets" ADD COLUMN "device_id" text;--> statement-breakpoint
ALTER TABLE "devices" ADD CONSTRAINT "devices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_present" ADD CONSTRAINT "recovery_present_wallet_id_wallet_roots_id_fk" FOREIGN KEY ("wallet_id") REFERENCES "public"."wallet_roots"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_present" ADD CONSTRAINT "recovery_present_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "devices_key" ON "devices" USING btree ("app_id","user_id","thumbprint");--> statement-breakpoint
CREATE INDEX "devices_user" ON "devices" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "used_proofs_expires" ON "used_proofs" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "recovery_present_at" ON "recovery_present" USING btree ("at");--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallet_sets" ADD CONSTRAINT "wallet_sets_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "wallet_sets_device" ON "wallet_sets" USING btree ("device_id");