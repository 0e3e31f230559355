insert into express_keys (station_id, user_id, kind, key, express_id)
select e.station_id, e.user_id, k.kind, k.key, e.id from expresses e, express_key_list(e) k where e.id between $1 and $2
